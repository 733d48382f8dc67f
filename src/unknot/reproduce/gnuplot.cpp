// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

std::string quoted_csv(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '"' ? "\"\"" : std::string(1, c);
  return fmt::format("\"{}\"", safe);
}

/// In single quotes, as gnuplot reads them.
std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '\'' ? "''" : std::string(1, c);
  return fmt::format("'{}'", safe);
}

bool has_ranges(const Series& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const Series::Point& point) { return point.low && point.high; });
}

bool falls_below_zero(const Plot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(), [](const Series& series) {
    return std::any_of(series.points.begin(), series.points.end(),
                       [](const Series::Point& point) { return point.low.value_or(point.y) < 0; });
  });
}

/// One look for all figures: hues after Okabe and Ito 2008, as pages of report have them, dashes and marks
/// that differ where hues may not, and nothing louder than the lines.
constexpr const char* kTheme =
    "set border 3 lc rgb '#8b949e'\n"
    "set tics nomirror out scale 0.5 textcolor rgb '#59636e'\n"
    "set grid ytics lt 1 lc rgb '#e3e7eb'\n"
    "set key outside below noenhanced samplen 3 spacing 1.2 textcolor rgb '#1b1f24'\n"
    "set errorbars 0.5 front\n"
    "set linetype 1 lc rgb '#0072b2' lw 2 dt 1 pt 7 ps 0.8\n"
    "set linetype 2 lc rgb '#d55e00' lw 2 dt (14,5) pt 5 ps 0.8\n"
    "set linetype 3 lc rgb '#00835f' lw 2 dt (4,4) pt 9 ps 0.8\n"
    "set linetype 4 lc rgb '#b5578f' lw 2 dt (14,4,3,4) pt 11 ps 0.8\n"
    "set linetype 5 lc rgb '#a66f00' lw 2 dt 1 pt 13 ps 0.8\n"
    "set linetype 6 lc rgb '#2f86bd' lw 2 dt (14,5) pt 6 ps 0.8\n"
    "set linetype 7 lc rgb '#882255' lw 2 dt (4,4) pt 4 ps 0.8\n"
    "set linetype 8 lc rgb '#6b5d00' lw 2 dt (14,4,3,4) pt 8 ps 0.8\n"
    "set linetype cycle 8\n";

constexpr int kNotFound = 127;  // exit code of a program that could not be started

/// A folder of our own for as long as the object lives: what another program makes is written from there as
/// every file is.
class DrawingFolder {
 public:
  DrawingFolder() : path_((std::filesystem::temp_directory_path() / "unknot-plot-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw InputError(fmt::format("{}: cannot make a folder: {}", path_, std::strerror(errno)));
  }
  ~DrawingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  DrawingFolder(const DrawingFolder&) = delete;
  DrawingFolder& operator=(const DrawingFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::string plot_data(const Plot& plot) {
  std::map<double, std::vector<const Series::Point*>> lines;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    for (const Series::Point& point : plot.series[s].points) {
      auto& line = lines[point.x];
      line.resize(plot.series.size());
      line[s] = &point;
    }
  }
  std::string text = quoted_csv(plot.groups.empty() ? plot.x_label : "group");
  for (const Series& series : plot.series) {
    text += fmt::format(",{},{},{}", quoted_csv(series.name), quoted_csv(series.name + " least"),
                        quoted_csv(series.name + " greatest"));
  }
  text += "\n";
  for (const auto& [x, points] : lines) {
    text += plot.groups.empty() ? fmt::format("{:g}", x)
                                : quoted_csv(plot.groups.at(static_cast<std::size_t>(x)));
    for (const Series::Point* point : points) {
      if (point == nullptr) {
        text += ",,,";
      } else {
        text += fmt::format(",{:.6g},{:.6g},{:.6g}", point->y, point->low.value_or(point->y),
                            point->high.value_or(point->y));
      }
    }
    text += "\n";
  }
  return text;
}

std::string plot_script(const Plot& plot, const std::string& data, const std::string& picture) {
  std::string text = fmt::format(
      "# gnuplot {0}.gp draws {0}.svg\n"
      "if (!exists('picture')) picture = {1}\n"
      "set terminal svg size 800,480 dynamic background rgb 'white' font 'sans-serif,12'\n"
      "set output picture\n"
      "set datafile separator ','\n"
      "{5}"
      "set title {2} noenhanced font ',14' textcolor rgb '#1b1f24'\n"
      "set xlabel {3} noenhanced textcolor rgb '#59636e' offset 0,0.4\n"
      "set ylabel {4} noenhanced textcolor rgb '#59636e'\n",
      picture.substr(0, picture.rfind('.')), quoted(picture), quoted(plot.title), quoted(plot.x_label),
      quoted(plot.y_label), kTheme);
  const bool bars = !plot.groups.empty();
  if (plot.log_x) text += "set logscale x 2\n";
  if (plot.log_y) {
    text += "set logscale y\nset format y '%h'\n";  // its default writes 0.000010
  } else {
    text += falls_below_zero(plot) ? "set xzeroaxis lt -1\n" : "set yrange [0:*]\n";
  }
  if (bars) {
    text +=
        "set style data histogram\nset style histogram errorbars gap 1 lw 1\n"
        "set style fill solid 1 noborder\nset boxwidth 0.9\nset errorbars lc rgb '#1b1f24'\n"
        "set xtics noenhanced rotate by -20\n";
  }
  std::string parts;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    const std::size_t column = 2 + 3 * s;
    const std::string file = s == 0 ? quoted(data) : "''";
    const auto add = [&](const std::string& part) {
      parts += (parts.empty() ? "plot " : ", \\\n     ") + part;
    };
    if (bars) {
      add(fmt::format("{} every ::1 using {}:{}:{}:xtic(1) title {}", file, column, column + 1, column + 2,
                      quoted(series.name)));
      continue;
    }
    add(fmt::format("{} every ::1 using 1:{} with linespoints lt {} title {}", file, column, s + 1,
                    quoted(series.name)));
    if (has_ranges(series)) {
      add(fmt::format("'' every ::1 using 1:{}:{}:{} with yerrorbars lt {} dt 1 lw 1 notitle", column,
                      column + 1, column + 2, s + 1));
    }
  }
  return text + parts + "\n";
}

bool draw_plot(const std::string& script, const std::string& picture) {
  const std::size_t slash = script.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : script.substr(0, slash);
  const std::string name = slash == std::string::npos ? script : script.substr(slash + 1);
  const DrawingFolder drawn;
  const std::string made = drawn.path() + "/picture.svg";
  const std::string setting = fmt::format("picture = {}", quoted(made));
  std::string program = "gnuplot";
  std::string expression = "-e";
  std::string value = setting;
  std::string argument = name;
  char* const argv[] = {program.data(), expression.data(), value.data(), argument.data(), nullptr};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return false;
  if (error != 0) throw InputError(fmt::format("gnuplot cannot be started: {}", std::strerror(error)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) return false;
    throw InputError(fmt::format("{}: gnuplot could not draw it", script));
  }
  write_file(picture, read_file(made));
  return true;
}

}  // namespace unknot
