# gnuplot diameter2-oblivious-uniform-latency.gp draws diameter2-oblivious-uniform-latency.svg
if (!exists('picture')) picture = 'diameter2-oblivious-uniform-latency.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Uniform traffic' noenhanced
set xlabel 'offered load' noenhanced
set ylabel 'mean latency, ns' noenhanced
set key outside below noenhanced
set grid ytics
set logscale y
plot 'diameter2-oblivious-uniform-latency.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'Slim Fly p=9 MIN', \
     '' every ::1 using 1:2:3:4 with yerrorbars lc 1 pt 1 notitle, \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'Slim Fly p=9 INR', \
     '' every ::1 using 1:5:6:7 with yerrorbars lc 2 pt 2 notitle, \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'Slim Fly p=10 MIN', \
     '' every ::1 using 1:8:9:10 with yerrorbars lc 3 pt 3 notitle, \
     '' every ::1 using 1:11 with linespoints lc 4 pt 4 title 'Slim Fly p=10 INR', \
     '' every ::1 using 1:11:12:13 with yerrorbars lc 4 pt 4 notitle, \
     '' every ::1 using 1:14 with linespoints lc 5 pt 5 title 'MLFM MIN', \
     '' every ::1 using 1:14:15:16 with yerrorbars lc 5 pt 5 notitle, \
     '' every ::1 using 1:17 with linespoints lc 6 pt 6 title 'MLFM INR', \
     '' every ::1 using 1:17:18:19 with yerrorbars lc 6 pt 6 notitle, \
     '' every ::1 using 1:20 with linespoints lc 7 pt 7 title 'OFT MIN', \
     '' every ::1 using 1:20:21:22 with yerrorbars lc 7 pt 7 notitle, \
     '' every ::1 using 1:23 with linespoints lc 8 pt 8 title 'OFT INR', \
     '' every ::1 using 1:23:24:25 with yerrorbars lc 8 pt 8 notitle
