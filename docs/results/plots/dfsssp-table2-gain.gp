# gnuplot dfsssp-table2-gain.gp draws dfsssp-table2-gain.svg
if (!exists('picture')) picture = 'dfsssp-table2-gain.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Gain of DFSSSP over MinHop on 1024 cores (ours modelled)' noenhanced
set xlabel '' noenhanced
set ylabel 'percent' noenhanced
set key outside below noenhanced
set grid ytics
set xzeroaxis lt -1
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'dfsssp-table2-gain.csv' every ::1 using 2:3:4:xtic(1) title 'Table II', \
     '' every ::1 using 5:6:7:xtic(1) title 'Deimos, spread', \
     '' every ::1 using 8:9:10:xtic(1) title 'Deimos, 6 together', \
     '' every ::1 using 11:12:13:xtic(1) title 'Deimos, 10 together', \
     '' every ::1 using 14:15:16:xtic(1) title 'Deimos, 12 together'
