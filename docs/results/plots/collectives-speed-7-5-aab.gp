# gnuplot collectives-speed-7-5-aab.gp draws collectives-speed-7-5-aab.svg
if (!exists('picture')) picture = 'collectives-speed-7-5-aab.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set border 3 lc rgb '#8b949e'
set tics nomirror out scale 0.5 textcolor rgb '#59636e'
set grid ytics lt 1 lc rgb '#e3e7eb'
set key outside below noenhanced samplen 3 spacing 1.2 textcolor rgb '#1b1f24'
set errorbars 0.5 front
set linetype 1 lc rgb '#0072b2' lw 2 dt 1 pt 7 ps 0.8
set linetype 2 lc rgb '#d55e00' lw 2 dt (14,5) pt 5 ps 0.8
set linetype 3 lc rgb '#00835f' lw 2 dt (4,4) pt 9 ps 0.8
set linetype 4 lc rgb '#b5578f' lw 2 dt (14,4,3,4) pt 11 ps 0.8
set linetype 5 lc rgb '#a66f00' lw 2 dt 1 pt 13 ps 0.8
set linetype 6 lc rgb '#2f86bd' lw 2 dt (14,5) pt 6 ps 0.8
set linetype 7 lc rgb '#882255' lw 2 dt (4,4) pt 4 ps 0.8
set linetype 8 lc rgb '#6b5d00' lw 2 dt (14,4,3,4) pt 8 ps 0.8
set linetype cycle 8
set title 'Figure 7.5: one generation of AAB' noenhanced font ',14' textcolor rgb '#1b1f24'
set xlabel 'population' noenhanced textcolor rgb '#59636e' offset 0,0.4
set ylabel 'milliseconds' noenhanced textcolor rgb '#59636e'
set logscale y
set format y '%h'
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 1 noborder
set boxwidth 0.9
set errorbars lc rgb '#1b1f24'
set xtics noenhanced rotate by -20
plot 'collectives-speed-7-5-aab.csv' every ::1 using 2:3:4:xtic(1) title 'sga', \
     '' every ::1 using 5:6:7:xtic(1) title 'mboa', \
     '' every ::1 using 8:9:10:xtic(1) title 'umda'
