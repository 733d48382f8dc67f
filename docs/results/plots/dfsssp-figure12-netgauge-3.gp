# gnuplot dfsssp-figure12-netgauge-3.gp draws dfsssp-figure12-netgauge-3.svg
if (!exists('picture')) picture = 'dfsssp-figure12-netgauge-3.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Deimos, 10 together' noenhanced
set xlabel 'cores' noenhanced
set ylabel 'MiB/s for a pair (modelled)' noenhanced
set key outside below noenhanced
set grid ytics
set logscale x 2
set yrange [0:*]
plot 'dfsssp-figure12-netgauge-3.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'MinHop', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'LASH', \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'DFSSSP'
