# gnuplot collectives-success-7-6-aas.gp draws collectives-success-7-6-aas.svg
if (!exists('picture')) picture = 'collectives-success-7-6-aas.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Figure 7.6: AAS on hypercubes' noenhanced
set xlabel 'nodes' noenhanced
set ylabel 'evaluations that a success needed, mean' noenhanced
set key outside below noenhanced
set grid ytics
set logscale x 2
set logscale y
plot 'collectives-success-7-6-aas.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'sga', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'umda', \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'umda, the thesis'
