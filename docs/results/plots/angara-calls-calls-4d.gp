# gnuplot angara-calls-calls-4d.gp draws angara-calls-calls-4d.svg
if (!exists('picture')) picture = 'angara-calls-calls-4d.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Calls of BUILD_SSSP, 4 dimensions' noenhanced
set xlabel 'nodes' noenhanced
set ylabel 'calls' noenhanced
set key outside below noenhanced
set grid ytics
set logscale x 2
set logscale y
plot 'angara-calls-calls-4d.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'sort and group', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'unique routes first'
