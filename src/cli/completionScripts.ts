/**
 * The script of each shell: it asks the program what may stand next, and offers files where that is nothing.
 *
 * @since 0.1.0
 */
import type { shells } from "./Completion.ts"

type Shell = (typeof shells)[number]

const bash = `# Completions of harness9 for bash: eval "$(harness9 completions bash)"
_harness9() {
  local IFS=$'\\n'
  COMPREPLY=($(harness9 completions bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _harness9 harness9
`

const zsh = `#compdef harness9
# Completions of harness9 for zsh: eval "$(harness9 completions zsh)", or as _harness9 in a folder of $fpath
_harness9() {
  local line
  local -a candidates
  for line in "\${(@f)$(harness9 completions zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] && candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#candidates} )); then _describe -t harness9 harness9 candidates; else _files; fi
}
if [[ "\${funcstack[1]}" == _harness9 ]]; then _harness9 "$@"; else compdef _harness9 harness9; fi
`

const fish = `# Completions of harness9 for fish: harness9 completions fish > ~/.config/fish/completions/harness9.fish
function __harness9_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (harness9 completions fish -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c harness9 -f -a '(__harness9_complete)'
`

/**
 * @since 0.1.0
 * @category constants
 */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish }
