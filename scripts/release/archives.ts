import { gunzipSync, gzipSync, zipSync, type Zippable } from 'fflate'

/** Files of an archive by their path in it. */
export type ArchiveFiles = ReadonlyMap<string, Uint8Array>

const sorted = <T>(files: ReadonlyMap<string, T>) => [...files].sort(([a], [b]) => (a < b ? -1 : 1))

/** A zip with the same bytes on every machine, because date, system and mode are fixed. The date is local, as in every zip. */
export function zip(files: ArchiveFiles): Uint8Array {
  const attributes = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16, level: 9 } as const
  return zipSync(Object.fromEntries(sorted(files).map(([name, bytes]) => [name, [bytes, attributes]])) as Zippable)
}

export interface TarOptions {
  /** The top folder; npm expects `package`. */
  readonly root: string
  /** The names of files that can be run. */
  readonly executable?: ReadonlySet<string>
}

const block = 512
/** The date that npm writes: 1985-10-26. */
const date = 499_162_500

/** A gzipped tar (ustar, POSIX.1-1988) with the same bytes on every machine, because date, mode and owner are fixed. */
export function tarball(files: ArchiveFiles, { root, executable = new Set() }: TarOptions): Uint8Array {
  const parts = sorted(files).flatMap(([name, bytes]) => {
    const mode = executable.has(name) ? 0o755 : 0o644
    return [header(`${root}/${name}`, mode, bytes.length), bytes, new Uint8Array(-bytes.length & (block - 1))]
  })
  return gzipSync(Buffer.concat([...parts, new Uint8Array(2 * block)]), { level: 9, mtime: 0 })
}

function header(path: string, mode: number, size: number): Uint8Array {
  // A path of more than 100 bytes is split at a slash.
  const at = path.length <= 100 ? -1 : path.indexOf('/', path.length - 101)
  const [prefix, name] = at < 0 ? ['', path] : [path.slice(0, at), path.slice(at + 1)]
  if (name.length > 100 || prefix.length > 155 || /[^\x20-\x7e]/.test(path))
    throw new Error(`A tar cannot contain the path ${path}`)
  const bytes = Buffer.alloc(block)
  const octal = (value: number, offset: number, length: number) =>
    bytes.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset)
  bytes.write(name, 0)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(date, 136, 12)
  // The checksum counts its own bytes as spaces.
  bytes.write('        0', 148)
  bytes.write('ustar\x0000', 257)
  bytes.write(prefix, 345)
  const checksum = bytes.reduce((sum, byte) => sum + byte, 0)
  octal(checksum, 148, 7)
  return bytes
}

/** The files of a gzipped tar, by path below the top folder. */
export function filesOfTarball(archive: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const bytes = Buffer.from(gunzipSync(archive))
  const files = new Map<string, Uint8Array>()
  const text = (at: number, length: number) => bytes.toString('utf8', at, at + length).replace(/\0[^]*$/, '')
  let longName = ''
  for (let at = 0; at < bytes.length && bytes[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, 12), 8)
    const content = bytes.subarray(at + block, at + block + size)
    const type = text(at + 156, 1)
    const prefix = text(at + 345, 155)
    const name = longName || (prefix === '' ? '' : `${prefix}/`) + text(at, 100)
    if (type === '0' || type === '') files.set(name.replace(/^[^/]*\//, ''), content)
    // A record of PAX or GNU contains the name of the next file.
    if (type === 'x') longName = /^\d+ path=(.*)$/m.exec(content.toString('utf8'))?.[1] ?? ''
    else longName = type === 'L' ? content.toString('utf8').replace(/\0[^]*$/, '') : ''
    at += block + Math.ceil(size / block) * block
  }
  return files
}
