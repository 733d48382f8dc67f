# gnuplot diameter2-ugal-mlfm-worst-case-latency.gp draws diameter2-ugal-mlfm-worst-case-latency.svg
if (!exists('picture')) picture = 'diameter2-ugal-mlfm-worst-case-latency.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'MLFM: worst-case' noenhanced
set xlabel 'offered load' noenhanced
set ylabel 'mean latency, ns' noenhanced
set key outside below noenhanced
set grid ytics
set logscale y
plot 'diameter2-ugal-mlfm-worst-case-latency.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'n_I=4 c=2 WC', \
     '' every ::1 using 1:2:3:4 with yerrorbars lc 1 pt 1 notitle, \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'n_I=1 c=2 WC', \
     '' every ::1 using 1:5:6:7 with yerrorbars lc 2 pt 2 notitle, \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'n_I=8 c=2 WC', \
     '' every ::1 using 1:8:9:10 with yerrorbars lc 3 pt 3 notitle, \
     '' every ::1 using 1:11 with linespoints lc 4 pt 4 title 'n_I=4 c=1 WC', \
     '' every ::1 using 1:11:12:13 with yerrorbars lc 4 pt 4 notitle, \
     '' every ::1 using 1:14 with linespoints lc 5 pt 5 title 'n_I=4 c=4 WC', \
     '' every ::1 using 1:14:15:16 with yerrorbars lc 5 pt 5 notitle
