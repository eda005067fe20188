import { choose, commonOptions, defineCommand, exitCodes, type Command } from '../command.ts'

type Table = readonly (Pick<Command, 'options' | 'positionals'> & { readonly name: string; readonly summary: string })[]

const shells = {
  bash: bashCompletion,
  // zsh can run completions of bash.
  zsh: (table: Table) => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
autoload -Uz bashcompinit && bashcompinit
${bashCompletion(table)}`,
  fish: fishCompletion,
} as const satisfies Readonly<Record<string, (table: Table) => string>>

const names = Object.keys(shells)

/** @param rows The commands to complete. */
export const completionOf = (
  rows: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<{ command: Command }> }>>,
): Command =>
  defineCommand({
    description:
      'Prints a script that completes commands, options and their values in a shell.\n' +
      'Add to ~/.bashrc: source <(cloud-profile completion bash)\n' +
      'Add to ~/.zshrc:  source <(cloud-profile completion zsh)',
    options: {},
    positionals: {
      name: names.join('|'),
      least: 1,
      most: 1,
      message: `Name one shell: ${names.join(', ')}`,
      choices: names,
    },
    async run({ positionals: [shell = ''] }, { printRaw }) {
      const write = choose<(table: Table) => string>('shell', shell, shells)
      const table = Object.entries(rows).map(async ([name, { summary, load }]) => {
        const { command } = await load()
        return { ...command, name, summary, options: { ...command.options, ...commonOptions } }
      })
      // Contains only names and help texts of this program.
      printRaw(write(await Promise.all(table)))
      return exitCodes.passed
    },
  })

function bashCompletion(table: Table): string {
  const values = table.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { choices, value }]) =>
      value === undefined
        ? []
        : [`    '${name} --${option}') ${choices ? `words='${choices.join(' ')}'` : 'return'} ;;`],
    ),
  )
  const others = table.map(({ name, options, positionals: { choices } = {} }) => {
    const first = choices ? `    '${name} ${name}') words='${choices.join(' ')}' ;;\n` : ''
    return `${first}    '${name} '*) words='--${Object.keys(options).join(' --')}' ;;`
  })
  return `_cloud_profile() {
  local words='${table.map(({ name }) => name).join(' ')}' current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$COMP_CWORD" -eq 1 ] || case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${[...values, ...others].join('\n')}
    *) return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _cloud_profile cloud-profile
`
}

function fishCompletion(table: Table): string {
  const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
  return table
    .flatMap(({ name, summary, options, positionals: { choices: words = [] } = {} }) => [
      `complete -c cloud-profile -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}\n`,
      ...words.map((word) => `complete -c cloud-profile -n '__fish_seen_subcommand_from ${name}' -f -a ${word}\n`),
      ...Object.entries(options).map(([option, { help, value, choices }]) => {
        const given = value === undefined ? '' : choices ? ` -x -a ${quoted(choices.join(' '))}` : ' -r'
        return `complete -c cloud-profile -n '__fish_seen_subcommand_from ${name}' -l ${option}${given} -d ${quoted(help)}\n`
      }),
    ])
    .join('')
}
