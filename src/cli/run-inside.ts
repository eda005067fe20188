import { defineCommand } from './command.ts'

/** Started by `run --isolate` within the network namespace. */
export const command = defineCommand({
  description: 'The part of run --isolate within the network namespace.',
  options: {},
  positionals: { name: 'FOLDER PORT -- COMMAND', least: 3, most: Infinity, message: 'Use run --isolate' },
  async run({ positionals: [folder = '', port = '', ...words] }, { env, note }) {
    const { serveInside } = await import('../tools/run/inside.ts')
    const { runChild } = await import('../tools/run/child.ts')
    await serveInside(folder, Number(port))
    const variables = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return runChild(words, Object.fromEntries(variables), (reason) =>
      note(`cloud-profile run: ${words[0] ?? ''}: ${reason}`),
    )
  },
})
