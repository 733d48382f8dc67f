# gnuplot diameter2-scale-scale.gp draws diameter2-scale-scale.svg
if (!exists('picture')) picture = 'diameter2-scale-scale.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Endpoints of the largest network' noenhanced
set xlabel 'router radix' noenhanced
set ylabel 'endpoints' noenhanced
set key outside below noenhanced
set grid ytics
set logscale y
plot 'diameter2-scale-scale.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'fattree2', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'hyperx2', \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'mlfm', \
     '' every ::1 using 1:11 with linespoints lc 4 pt 4 title 'slimfly-ceil', \
     '' every ::1 using 1:14 with linespoints lc 5 pt 5 title 'slimfly-floor', \
     '' every ::1 using 1:17 with linespoints lc 6 pt 6 title 'oft', \
     '' every ::1 using 1:20 with linespoints lc 7 pt 7 title 'fattree3', \
     '' every ::1 using 1:23 with linespoints lc 8 pt 8 title 'sspt'
