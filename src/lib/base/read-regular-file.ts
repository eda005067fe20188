import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'

/**
 * A regular file of at most so many bytes. Opening a pipe would wait forever, opening a device may do something, and some files of the
 * system say that they are empty and never end; by the time a file is open it may be another one.
 *
 * @throws {Error} that names the problem, or Node's own.
 */
export function readRegularFile(path: string, mostBytes: number): Buffer {
  refuseOthers(statSync(path))
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    refuseOthers(fstatSync(file))
    const buffer = Buffer.alloc(mostBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null)
    }
    if (length > mostBytes) throw new Error(`it is longer than ${mostBytes} bytes`)
    return buffer.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

function refuseOthers(found: Stats): void {
  if (!found.isFile()) throw new Error('it is not a regular file')
}
