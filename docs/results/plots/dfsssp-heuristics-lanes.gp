# gnuplot dfsssp-heuristics-lanes.gp draws dfsssp-heuristics-lanes.svg
if (!exists('picture')) picture = 'dfsssp-heuristics-lanes.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Lanes needed, 64 switches, 128 cables (bars: least to greatest)' noenhanced
set xlabel '' noenhanced
set ylabel 'virtual lanes' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'dfsssp-heuristics-lanes.csv' every ::1 using 2:3:4:xtic(1) title 'paper (middle of its range)', \
     '' every ::1 using 5:6:7:xtic(1) title 'a tree for each endpoint', \
     '' every ::1 using 8:9:10:xtic(1) title 'a tree for each switch', \
     '' every ::1 using 11:12:13:xtic(1) title 'a tree for each endpoint, unknot''s default'
