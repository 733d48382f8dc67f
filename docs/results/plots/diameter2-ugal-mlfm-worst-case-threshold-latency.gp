# gnuplot diameter2-ugal-mlfm-worst-case-threshold-latency.gp draws diameter2-ugal-mlfm-worst-case-threshold-latency.svg
if (!exists('picture')) picture = 'diameter2-ugal-mlfm-worst-case-threshold-latency.svg'
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
set title 'MLFM: worst-case-threshold' noenhanced font ',14' textcolor rgb '#1b1f24'
set xlabel 'offered load' noenhanced textcolor rgb '#59636e' offset 0,0.4
set ylabel 'mean latency, ns' noenhanced textcolor rgb '#59636e'
set logscale y
set format y '%h'
plot 'diameter2-ugal-mlfm-worst-case-threshold-latency.csv' every ::1 using 1:2 with linespoints lt 1 title 'n_I=4 c=2 T=10% WC', \
     '' every ::1 using 1:2:3:4 with yerrorbars lt 1 dt 1 lw 1 notitle, \
     '' every ::1 using 1:5 with linespoints lt 2 title 'n_I=1 c=2 T=10% WC', \
     '' every ::1 using 1:5:6:7 with yerrorbars lt 2 dt 1 lw 1 notitle, \
     '' every ::1 using 1:8 with linespoints lt 3 title 'n_I=8 c=2 T=10% WC', \
     '' every ::1 using 1:8:9:10 with yerrorbars lt 3 dt 1 lw 1 notitle, \
     '' every ::1 using 1:11 with linespoints lt 4 title 'n_I=4 c=1 T=10% WC', \
     '' every ::1 using 1:11:12:13 with yerrorbars lt 4 dt 1 lw 1 notitle, \
     '' every ::1 using 1:14 with linespoints lt 5 title 'n_I=4 c=4 T=10% WC', \
     '' every ::1 using 1:14:15:16 with yerrorbars lt 5 dt 1 lw 1 notitle
