# gnuplot dfsssp-figure13-all-to-all.gp draws dfsssp-figure13-all-to-all.svg
if (!exists('picture')) picture = 'dfsssp-figure13-all-to-all.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'All-to-all, 128 processes, 4096 floats (modelled)' noenhanced
set xlabel '' noenhanced
set ylabel 'milliseconds' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'dfsssp-figure13-all-to-all.csv' every ::1 using 2:3:4:xtic(1) title 'MinHop', \
     '' every ::1 using 5:6:7:xtic(1) title 'LASH', \
     '' every ::1 using 8:9:10:xtic(1) title 'DFSSSP'
