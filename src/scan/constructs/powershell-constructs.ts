import type { ConstructRow } from './construct.ts'

const commands = /^(Connect-AzAccount|Login-AzAccount|Add-AzAccount|Connect-MgGraph)$/i

export const powershellConstructs: readonly ConstructRow[] = [
  {
    grammars: ['powershell'],
    kind: 'sign-in-command',
    needs: /AzAccount|Connect-MgGraph/i,
    query: '(command command_name: (command_name) @name) @construct',
    isNamed: (name) => commands.test(name),
    // Parameters may be splatted from a table.
    isMissing: ({ construct }) => !/\s(?:-Env\w*|@\w+)/i.test(construct?.text ?? ''),
  },
]
