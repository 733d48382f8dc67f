# gnuplot diameter2-bisection-bisection.gp draws diameter2-bisection-bisection.svg
if (!exists('picture')) picture = 'diameter2-bisection-bisection.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Bisection per endpoint' noenhanced
set xlabel 'endpoints' noenhanced
set ylabel 'cables cut / endpoints of a half' noenhanced
set key outside below noenhanced
set grid ytics
set logscale x 2
set yrange [0:*]
plot 'diameter2-bisection-bisection.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'SF, rounded down', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'SF, rounded up', \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'MLFM', \
     '' every ::1 using 1:11 with linespoints lc 4 pt 4 title 'OFT'
