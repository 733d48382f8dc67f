// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/rank_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "unknot/place/communicator_source.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/json_text.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::place {
namespace {

bool is_host_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

/// What both launchers take without quotes.
bool is_host_name(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), is_host_letter);
}

const std::vector<std::string>& checked(const std::vector<std::string>& hosts) {
  for (const std::string& host : hosts) {
    if (!is_host_name(host)) {
      throw InputError(fmt::format(
          "'{}' is no host name for a launcher: letters, digits, '-', '_' and '.' only", shown(host)));
    }
  }
  return hosts;
}

/// The line without a comment and blanks around it.
std::string_view content(std::string_view line) {
  line = line.substr(0, line.find('#'));
  while (!line.empty() && Cursor::is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && Cursor::is_blank(line.back())) line.remove_suffix(1);
  return line;
}

void check_room(const Lines& lines, std::size_t ranks) {
  if (ranks >= kMostRanksInFile) lines.fail(fmt::format("more than {} ranks", kMostRanksInFile));
}

std::string write_openmpi(const std::vector<std::string>& hosts, const std::vector<CoreSlot>& cores) {
  std::string text;
  std::unordered_map<std::string, std::uint32_t> slots;
  for (std::size_t rank = 0; rank < checked(hosts).size(); ++rank) {
    text += fmt::format("rank {}={} slot=", rank, hosts[rank]);
    text += cores.empty() ? fmt::format("{}\n", slots[hosts[rank]]++)
                          : fmt::format("{}:{}\n", cores[rank].socket, cores[rank].core);
  }
  return text;
}

struct RankLine {
  std::uint64_t rank;
  std::uint32_t line;
  std::string host;
};

/// "rank N=HOST slot=...": what follows slot= is Open MPI's matter.
std::vector<std::string> read_openmpi(std::string_view text, const std::string& file) {
  std::vector<RankLine> ranks;
  Lines lines(text, file);
  while (lines.next()) {
    Cursor cursor(content(lines.line()));
    if (cursor.at_end()) continue;
    const auto fail = [&] {
      lines.fail(fmt::format("expected 'rank NUMBER=HOST slot=...', found {}", place_shown(lines.line())));
    };
    if (!cursor.eat("rank") || !Cursor::is_blank(cursor.peek())) fail();
    cursor.skip_blanks();
    const auto rank = cursor.decimal(kMostRanksInFile - 1);
    if (!rank || !cursor.eat('=')) fail();
    const std::string_view host = cursor.word();
    cursor.skip_blanks();
    if (!is_host_name(host) || !cursor.eat("slot=") || cursor.at_end()) fail();
    ranks.push_back({*rank, lines.number(), std::string(host)});
  }
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const RankLine& a, const RankLine& b) { return a.rank < b.rank; });
  std::vector<std::string> hosts;
  for (RankLine& line : ranks) {
    if (line.rank < hosts.size()) throw InputError(file, line.line, "this rank is there already");
    if (line.rank > hosts.size()) {
      throw InputError(file, line.line,
                       fmt::format("rank {} is here, but rank {} is nowhere", line.rank, hosts.size()));
    }
    hosts.push_back(std::move(line.host));
  }
  return hosts;
}

std::string write_slurm(const std::vector<std::string>& hosts, const std::vector<CoreSlot>& /*cores*/) {
  std::string text;
  for (const std::string& host : checked(hosts)) text += host + "\n";
  return text;
}

std::vector<std::string> read_slurm(std::string_view text, const std::string& file) {
  std::vector<std::string> hosts;
  Lines lines(text, file);
  while (lines.next()) {
    const std::string_view host = content(lines.line());
    if (host.empty()) continue;
    if (!is_host_name(host))
      lines.fail(fmt::format("expected the name of a host, found {}", place_shown(host)));
    check_room(lines, hosts.size());
    hosts.emplace_back(host);
  }
  return hosts;
}

std::string write_json(const std::vector<std::string>& hosts, const std::vector<CoreSlot>& cores) {
  nlohmann::ordered_json document{{"hosts", checked(hosts)}};
  for (const CoreSlot& slot : cores) {
    document["sockets"].push_back(slot.socket);
    document["cores"].push_back(slot.core);
  }
  return document.dump(1) + "\n";
}

std::string write_communicator(const std::vector<std::string>& hosts, const std::vector<CoreSlot>& cores) {
  return communicator_source(checked(hosts), cores);
}

std::vector<std::string> read_json(std::string_view text, const std::string& file) {
  const auto document = parse_json(text, file);
  const auto fail = [&](const char* what) { throw InputError(file, 1, what); };
  if (!document.is_object() || !document.contains("hosts") || !document["hosts"].is_array())
    fail("expected an object with a list 'hosts', the name of each rank's host");
  std::vector<std::string> hosts;
  for (const auto& host : document["hosts"]) {
    if (!host.is_string() || !is_host_name(host.get_ref<const std::string&>()))
      fail("every element of 'hosts' must be the name of a host");
    if (hosts.size() == kMostRanksInFile) fail("too many ranks");
    hosts.push_back(host.get<std::string>());
  }
  return hosts;
}

}  // namespace

const std::vector<RankFileFormat>& rank_file_formats() {
  static const std::vector<RankFileFormat> rows = {
      {"openmpi-rankfile", "hosts of ranks, and their cores, for Open MPI's mpirun --rankfile", true,
       write_openmpi, read_openmpi},
      {"slurm-hostfile", "hosts of ranks for Slurm: SLURM_HOSTFILE with srun --distribution=arbitrary", false,
       write_slurm, read_slurm},
      {"json", "hosts of ranks as JSON, a list \"hosts\", with cores \"sockets\" and \"cores\" too", true,
       write_json, read_json},
      {"mpi-c",
       "a C function that makes a communicator of these ranks in a job that runs",
       true,
       write_communicator,
       {}},
  };
  return rows;
}

const RankFileFormat& find_rank_file_format(std::string_view name) {
  return find_row(rank_file_formats(), "format", name);
}

std::vector<std::string> read_rank_file(std::string_view text, const std::string& file) {
  const char* name = "slurm-hostfile";
  Lines lines(text, file);
  while (lines.next()) {
    const std::string_view line = content(lines.line());
    if (line.empty()) continue;
    if (line.front() == '{') name = "json";
    if (line.starts_with("rank ") || line.starts_with("rank\t")) name = "openmpi-rankfile";
    break;
  }
  std::vector<std::string> hosts = find_rank_file_format(name).read(text, file);
  if (hosts.empty()) throw InputError(file, 1, "expected the host of at least one rank");
  return hosts;
}

}  // namespace unknot::place
