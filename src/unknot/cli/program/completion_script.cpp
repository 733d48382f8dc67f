// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/program/completion_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "unknot/support/text/shell_word.hpp"

namespace unknot::cli {
namespace {

/// In single quotes, where fish has escapes of its own.
std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::vector<std::string> option_names(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

/// Lines "route,--engine|route,-E) words='...' ;;": what follows an option, in bash and in zsh.
std::string cases_of_values(const std::vector<CommandWords>& commands) {
  std::string text;
  for (const CommandWords& command : commands) {
    for (const OptionWords& option : command.options) {
      if (!option.takes_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(command.name + "," + name);
      text += fmt::format("    {}) choices={} value=1 ;;\n", fmt::join(patterns, "|"),
                          shell_quoted(fmt::format("{}", fmt::join(option.values, " "))));
    }
  }
  return text;
}

std::string cases_of_words(const std::vector<CommandWords>& commands) {
  std::string text;
  for (const CommandWords& command : commands) {
    text += fmt::format("    {}) options={} operands={} ;;\n", shell_quoted(command.name),
                        shell_quoted(fmt::format("{}", fmt::join(option_names(command), " "))),
                        shell_quoted(fmt::format("{}", fmt::join(command.operands, " "))));
  }
  return text;
}

std::string commands_that_take_values(const CommandWords& common) {
  std::vector<std::string> names;
  for (const OptionWords& option : common.options) {
    if (option.takes_value) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, "|"));
}

std::string bash_script(const std::vector<CommandWords>& commands) {
  return fmt::format(R"sh(# Completion of unknot in bash; made by: unknot completion bash
_unknot() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local command= options= operands= choices= value= word list skip=
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    if [ -n "$skip" ]; then skip=; continue; fi
    case $word in
    {0}) skip=1 ;;
    -*) ;;
    *) command=$word; break ;;
    esac
  done
  case $command in
{1}  esac
  case $command,$previous in
{2}  esac
  if [ -z "$value" ]; then
    case $current in
    -*) choices=$options ;;
    *) choices=$operands ;;
    esac
  fi
  list=
  case $current in *,*) list=${{current%,*}}, ;; esac
  COMPREPLY=($(compgen -P "$list" -W "$choices" -- "${{current##*,}}"))
  if [ -n "$command" ] && [ "${{current#-}}" = "$current" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -F _unknot unknot
)sh",
                     commands_that_take_values(commands.front()), cases_of_words(commands),
                     cases_of_values(commands));
}

std::string zsh_script(const std::vector<CommandWords>& commands) {
  std::string described;
  for (const CommandWords& command : commands) {
    if (command.name.empty()) continue;
    std::string summary;
    for (const char c : command.summary) {
      if (c == ':') summary += '\\';
      summary += c;
    }
    described += fmt::format("    {}\n", shell_quoted(command.name + ":" + summary));
  }
  return fmt::format(R"sh(#compdef unknot
# Completion of unknot in zsh; made by: unknot completion zsh
_unknot() {{
  local current=${{words[CURRENT]}} previous=${{words[CURRENT-1]}}
  local command= options= operands= value= word skip= index
  local -a typed=("${{(@)words[2,CURRENT-1]}}") rows
  for word in $typed; do
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
    ({0}) skip=1 ;;
    (-*) ;;
    (*) command=$word; break ;;
    esac
  done
  local choices=
  case $command in
{1}  esac
  case $command,$previous in
{2}  esac
  if [[ -n $value ]]; then
    [[ -n $choices ]] && compset -P '*,'
    compadd -- ${{=choices}}
    [[ -z $choices ]] && _files
    return
  fi
  if [[ $current == -* ]]; then
    compadd -- ${{=options}}
  elif [[ -z $command ]]; then
    rows=(
{3}    )
    _describe command rows
  else
    compadd -- ${{=operands}}
    _files
  fi
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _unknot "$@"; else compdef _unknot unknot; fi
)sh",
                     commands_that_take_values(commands.front()), cases_of_words(commands),
                     cases_of_values(commands), described);
}

std::string fish_script(const std::vector<CommandWords>& commands) {
  std::string text = "# Completion of unknot in fish; made by: unknot completion fish\n";
  for (const CommandWords& command : commands) {
    const std::string where = command.name.empty()
                                  ? std::string("-n __fish_use_subcommand")
                                  : fmt::format("-n '__fish_seen_subcommand_from {}'", command.name);
    if (!command.name.empty()) {
      text += fmt::format("complete -c unknot -f -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          fish_quoted(command.summary));
      if (!command.operands.empty()) {
        text += fmt::format("complete -c unknot {} -a {}\n", where,
                            fish_quoted(fmt::format("{}", fmt::join(command.operands, " "))));
      }
    }
    for (const OptionWords& option : command.options) {
      text += "complete -c unknot " + where;
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) text += option.values.empty() ? " -r -F" : " -x";
      if (!option.values.empty())
        text += " -a " + fish_quoted(fmt::format("{}", fmt::join(option.values, " ")));
      text += " -d " + fish_quoted(option.description) + "\n";
    }
  }
  return text;
}

}  // namespace

const std::vector<CompletionShell>& completion_shells() {
  static const std::vector<CompletionShell> rows{
      {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
  return rows;
}

}  // namespace unknot::cli
