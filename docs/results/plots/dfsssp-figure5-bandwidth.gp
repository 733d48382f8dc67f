# gnuplot dfsssp-figure5-bandwidth.gp draws dfsssp-figure5-bandwidth.svg
if (!exists('picture')) picture = 'dfsssp-figure5-bandwidth.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'XGFT of Table I, by endpoints' noenhanced
set xlabel '' noenhanced
set ylabel 'effective bisection bandwidth' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'dfsssp-figure5-bandwidth.csv' every ::1 using 2:3:4:xtic(1) title 'MinHop', \
     '' every ::1 using 5:6:7:xtic(1) title 'Up*/Down*', \
     '' every ::1 using 8:9:10:xtic(1) title 'FatTree', \
     '' every ::1 using 11:12:13:xtic(1) title 'DOR', \
     '' every ::1 using 14:15:16:xtic(1) title 'LASH', \
     '' every ::1 using 17:18:19:xtic(1) title 'SSSP', \
     '' every ::1 using 20:21:22:xtic(1) title 'DFSSSP'
