# gnuplot dfsssp-figure9-lanes-mode2.gp draws dfsssp-figure9-lanes-mode2.svg
if (!exists('picture')) picture = 'dfsssp-figure9-lanes-mode2.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Lanes needed, 128 switches: cables that join parts, then uniform ones' noenhanced
set xlabel 'cables between switches' noenhanced
set ylabel 'virtual lanes (mean, least to greatest)' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
plot 'dfsssp-figure9-lanes-mode2.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'DFSSSP', \
     '' every ::1 using 1:2:3:4 with yerrorbars lc 1 pt 1 notitle, \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'LASH (OpenSM''s paths)', \
     '' every ::1 using 1:5:6:7 with yerrorbars lc 2 pt 2 notitle, \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'LASH (balanced, each direction alone)', \
     '' every ::1 using 1:8:9:10 with yerrorbars lc 3 pt 3 notitle, \
     '' every ::1 using 1:11 with linespoints lc 4 pt 4 title 'DFSSSP, a tree for each switch', \
     '' every ::1 using 1:11:12:13 with yerrorbars lc 4 pt 4 notitle
