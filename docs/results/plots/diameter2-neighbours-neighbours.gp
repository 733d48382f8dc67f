# gnuplot diameter2-neighbours-neighbours.gp draws diameter2-neighbours-neighbours.svg
if (!exists('picture')) picture = 'diameter2-neighbours-neighbours.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Figure 14: effective throughput of a nearest-neighbour exchange' noenhanced
set xlabel 'network' noenhanced
set ylabel 'effective throughput' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'diameter2-neighbours-neighbours.csv' every ::1 using 2:3:4:xtic(1) title 'MIN', \
     '' every ::1 using 5:6:7:xtic(1) title 'INR', \
     '' every ::1 using 8:9:10:xtic(1) title 'UGAL'
