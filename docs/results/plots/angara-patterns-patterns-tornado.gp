# gnuplot angara-patterns-patterns-tornado.gp draws angara-patterns-patterns-tornado.svg
if (!exists('picture')) picture = 'angara-patterns-patterns-tornado.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Tornado: modelled completion time' noenhanced
set xlabel 'torus' noenhanced
set ylabel 'flows on the busiest channel' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'angara-patterns-patterns-tornado.csv' every ::1 using 2:3:4:xtic(1) title 'angara-bfs', \
     '' every ::1 using 5:6:7:xtic(1) title 'angara-genetic', \
     '' every ::1 using 8:9:10:xtic(1) title 'angara-sssp', \
     '' every ::1 using 11:12:13:xtic(1) title 'angara-opt'
