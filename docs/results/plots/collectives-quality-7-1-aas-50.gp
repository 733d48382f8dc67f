# gnuplot collectives-quality-7-1-aas-50.gp draws collectives-quality-7-1-aas-50.svg
if (!exists('picture')) picture = 'collectives-quality-7-1-aas-50.svg'
set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'
set output picture
set datafile separator ','
set title 'Figure 7.1: AAS by sga, population 50' noenhanced
set xlabel 'share mutated' noenhanced
set ylabel 'conflicts left, mean' noenhanced
set key outside below noenhanced
set grid ytics
set yrange [0:*]
plot 'collectives-quality-7-1-aas-50.csv' every ::1 using 1:2 with linespoints lc 1 pt 1 title 'crossover 0', \
     '' every ::1 using 1:5 with linespoints lc 2 pt 2 title 'crossover 0.2', \
     '' every ::1 using 1:8 with linespoints lc 3 pt 3 title 'crossover 0.5', \
     '' every ::1 using 1:11 with linespoints lc 4 pt 4 title 'crossover 0.7', \
     '' every ::1 using 1:14 with linespoints lc 5 pt 5 title 'crossover 0.9'
