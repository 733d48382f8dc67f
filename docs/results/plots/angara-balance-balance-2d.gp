# gnuplot angara-balance-balance-2d.gp draws angara-balance-balance-2d.svg
if (!exists('picture')) picture = 'angara-balance-balance-2d.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Edge-forwarding index over that of BFS, 2 dimensions' noenhanced
set xlabel 'index less than, equal to, greater than that of BFS' noenhanced
set ylabel 'ratio of totals' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'angara-balance-balance-2d.csv' every ::1 using 2:3:4:xtic(1) title 'angara-genetic', \
     '' every ::1 using 5:6:7:xtic(1) title 'angara-sssp', \
     '' every ::1 using 8:9:10:xtic(1) title 'angara-opt'
