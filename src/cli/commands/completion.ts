import { write } from '../io.ts'
import type { Command, CommonArguments } from '../options.ts'

/** Each script asks the program itself (`--get-yargs-completions`), so it never goes stale. */
const SCRIPTS = {
  bash: `_kubenft() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(kubenft --get-yargs-completions "\${COMP_WORDS[@]}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _kubenft kubenft
`,
  zsh: `#compdef kubenft
_kubenft() {
  local -a candidates
  candidates=("\${(@f)$(kubenft --get-yargs-completions "\${words[@]}" 2>/dev/null)}")
  compadd -- "\${candidates[@]%%:*}"
  _files
}
compdef _kubenft kubenft
`,
  fish: `complete -c kubenft -a '(kubenft --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null | string replace -r ":.*" "")'
`,
} as const

export const completion: Command<CommonArguments & { shell: keyof typeof SCRIPTS }> = {
  command: 'completion <shell>',
  describe: 'Print a completion script: source <(kubenft completion bash)',
  builder: yargs =>
    yargs.positional('shell', { choices: ['bash', 'zsh', 'fish'] as const, demandOption: true, describe: 'Shell to complete in' }),
  async run({ shell }, io) {
    await write(io.stdout, SCRIPTS[shell])
    return 0
  },
}
