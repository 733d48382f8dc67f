# gnuplot angara-runtime-runtime-3d.gp draws angara-runtime-runtime-3d.svg
if (!exists('picture')) picture = 'angara-runtime-runtime-3d.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Time for tables, 3 dimensions' noenhanced
set xlabel 'nodes' noenhanced
set ylabel 'seconds' noenhanced
set key outside below noenhanced
set grid ytics
set logscale x 2
set logscale y
plot 'angara-runtime-runtime-3d.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'angara-bfs', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'angara-sssp', \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'angara-opt'
