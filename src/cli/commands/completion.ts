import { choose, defineCommand, exitCodes, type Command, type Options } from '../command.ts'
import { Raw } from '../terminal.ts'

type Table = readonly { readonly name: string; readonly summary: string; readonly options: Options }[]

const shells = {
  bash: bashCompletion,
  // zsh can run completions of bash.
  zsh: (table: Table) => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
autoload -Uz bashcompinit && bashcompinit
${bashCompletion(table)}`,
  fish: fishCompletion,
} as const satisfies Readonly<Record<string, (table: Table) => string>>

/** @param rows The commands to complete. */
export const completionOf = (
  rows: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<{ command: Command }> }>>,
): Command =>
  defineCommand({
    description:
      'Prints a script that completes commands, options and their values in a shell.\n' +
      'bash: add source <(cloud-profile completion bash) to ~/.bashrc. zsh: add the same with zsh to ~/.zshrc. ' +
      'fish: run cloud-profile completion fish > ~/.config/fish/completions/cloud-profile.fish',
    options: {},
    positionals: { name: Object.keys(shells).join('|'), least: 1, most: 1, message: 'Name one shell: bash, zsh, fish' },
    async run({ positionals: [shell = ''] }, { print }) {
      const write = choose<(table: Table) => string>('shell', shell, shells)
      const table = Object.entries(rows).map(async ([name, { summary, load }]) => {
        const { options } = name === 'completion' ? { options: {} } : (await load()).command
        return { name, summary, options: { ...options, ...common } }
      })
      // Contains only names and help texts of this program.
      print(new Raw(write(await Promise.all(table))))
      return exitCodes.passed
    },
  })

const common: Options = {
  'no-color': { type: 'boolean', help: 'no colors' },
  help: { type: 'boolean', help: 'print the help' },
}

function bashCompletion(table: Table): string {
  const values = table.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { choices, type }]) =>
      type === 'boolean'
        ? []
        : [`    '${name} --${option}') ${choices ? `words='${choices.join(' ')}'` : 'return'} ;;`],
    ),
  )
  const options = table.map(({ name, options }) => `    '${name} '*) words='${optionsOf(options)}' ;;`)
  return `_cloud_profile() {
  local words='${table.map(({ name }) => name).join(' ')}' current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$COMP_CWORD" -eq 1 ] || case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${[...values, ...options].join('\n')}
    *) return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _cloud_profile cloud-profile
`
}

const optionsOf = (options: Options): string =>
  Object.keys(options)
    .map((name) => `--${name}`)
    .join(' ')

function fishCompletion(table: Table): string {
  const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
  return table
    .flatMap(({ name, summary, options }) => [
      `complete -c cloud-profile -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}\n`,
      ...Object.entries(options).map(([option, { help, type, choices }]) => {
        const value = type === 'boolean' ? '' : choices ? ` -x -a ${quoted(choices.join(' '))}` : ' -r'
        return `complete -c cloud-profile -n '__fish_seen_subcommand_from ${name}' -l ${option}${value} -d ${quoted(help)}\n`
      }),
    ])
    .join('')
}
