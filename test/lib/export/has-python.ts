import { execFile } from 'node:child_process'

/** Whether the machine can check what is written for Python. */
export function hasPython(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('python3', ['--version'], (error) => {
      resolve(error === null)
    })
  })
}
