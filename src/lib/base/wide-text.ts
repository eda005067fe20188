/** The problem of a file in UTF-16, which PowerShell 5 (`>`) and Notepad ("Unicode") write. */
export const wideTextProblem = 'is not UTF-8 (it looks like UTF-16); save it as UTF-8'

/** Whether bytes look like UTF-16 or UTF-32: by their byte order mark, or by zero bytes among the first letters. */
export function isWideText(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return hasMark || bytes.subarray(0, 4).includes(0)
}
