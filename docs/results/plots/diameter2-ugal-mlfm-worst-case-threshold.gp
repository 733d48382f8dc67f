# gnuplot diameter2-ugal-mlfm-worst-case-threshold.gp draws diameter2-ugal-mlfm-worst-case-threshold.svg
if (!exists('picture')) picture = 'diameter2-ugal-mlfm-worst-case-threshold.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'MLFM: worst-case-threshold' noenhanced
set xlabel 'offered load' noenhanced
set ylabel 'accepted load' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
plot 'diameter2-ugal-mlfm-worst-case-threshold.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'n_I=4 c=2 T=10% WC', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'n_I=1 c=2 T=10% WC', \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'n_I=8 c=2 T=10% WC', \
     '' every ::1 using 1:11 with linespoints lc 4 pt 4 title 'n_I=4 c=1 T=10% WC', \
     '' every ::1 using 1:14 with linespoints lc 5 pt 5 title 'n_I=4 c=4 T=10% WC'
