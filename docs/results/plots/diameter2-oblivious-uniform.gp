# gnuplot diameter2-oblivious-uniform.gp draws diameter2-oblivious-uniform.svg
if (!exists('picture')) picture = 'diameter2-oblivious-uniform.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Figure 6a: uniform traffic' noenhanced
set xlabel 'offered load' noenhanced
set ylabel 'accepted load' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
plot 'diameter2-oblivious-uniform.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'Slim Fly p=9 MIN', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'Slim Fly p=9 INR', \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'Slim Fly p=10 MIN', \
     '' every ::1 using 1:11 with linespoints lc 4 pt 4 title 'Slim Fly p=10 INR', \
     '' every ::1 using 1:14 with linespoints lc 5 pt 5 title 'MLFM MIN', \
     '' every ::1 using 1:17 with linespoints lc 6 pt 6 title 'MLFM INR', \
     '' every ::1 using 1:20 with linespoints lc 7 pt 7 title 'OFT MIN', \
     '' every ::1 using 1:23 with linespoints lc 8 pt 8 title 'OFT INR'
