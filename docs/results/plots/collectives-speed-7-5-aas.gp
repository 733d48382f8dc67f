# gnuplot collectives-speed-7-5-aas.gp draws collectives-speed-7-5-aas.svg
if (!exists('picture')) picture = 'collectives-speed-7-5-aas.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Figure 7.5: one generation of AAS' noenhanced
set xlabel 'population' noenhanced
set ylabel 'milliseconds' noenhanced
set key outside below noenhanced
set grid ytics
set logscale y
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'collectives-speed-7-5-aas.csv' every ::1 using 2:3:4:xtic(1) title 'sga', \
     '' every ::1 using 5:6:7:xtic(1) title 'mboa', \
     '' every ::1 using 8:9:10:xtic(1) title 'umda'
