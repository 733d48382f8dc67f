# gnuplot angara-desmos-gains.gp draws angara-desmos-gains.svg
if (!exists('picture')) picture = 'angara-desmos-gains.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Gain on BFS, mean over random orders of the ranks; bars from the least to the greatest' noenhanced
set xlabel 'pattern' noenhanced
set ylabel 'percent' noenhanced
set key outside below noenhanced
set grid ytics
set xzeroaxis lt -1
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'angara-desmos-gains.csv' every ::1 using 2:3:4:xtic(1) title 'genetic', \
     '' every ::1 using 5:6:7:xtic(1) title 'SSSP', \
     '' every ::1 using 8:9:10:xtic(1) title 'opt'
