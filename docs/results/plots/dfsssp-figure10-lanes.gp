# gnuplot dfsssp-figure10-lanes.gp draws dfsssp-figure10-lanes.svg
if (!exists('picture')) picture = 'dfsssp-figure10-lanes.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Virtual lanes of real systems' noenhanced
set xlabel '' noenhanced
set ylabel 'virtual lanes' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.6
set xtics noenhanced rotate by -20
plot 'dfsssp-figure10-lanes.csv' every ::1 using 2:3:4:xtic(1) title 'LASH', \
     '' every ::1 using 5:6:7:xtic(1) title 'DFSSSP', \
     '' every ::1 using 8:9:10:xtic(1) title 'DFSSSP, unknot''s default', \
     '' every ::1 using 11:12:13:xtic(1) title 'DFSSSP online', \
     '' every ::1 using 14:15:16:xtic(1) title 'LASH, balanced paths', \
     '' every ::1 using 17:18:19:xtic(1) title 'engine unknot'
