import { buffer } from 'node:stream/consumers'
import { gzipSync, zipSync, type Zippable } from 'fflate'
import { pack } from 'tar-stream'

/** Files of an archive by their path in it. */
export type ArchiveFiles = ReadonlyMap<string, Uint8Array>

const sorted = (files: ArchiveFiles) => [...files].sort(([a], [b]) => (a < b ? -1 : 1))

/** A zip with the same bytes on every machine: one date (in local time, as zips store it), system and mode. */
export function zip(files: ArchiveFiles): Uint8Array {
  const attributes = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16, level: 9 } as const
  return zipSync(Object.fromEntries(sorted(files).map(([name, bytes]) => [name, [bytes, attributes]])) as Zippable)
}

/**
 * A tarball with the same bytes on every machine: one date and mode, and no owner.
 *
 * @param root The top folder; npm expects `package`.
 */
export async function tarball(
  root: string,
  files: ArchiveFiles,
  executable: ReadonlySet<string> = new Set(),
): Promise<Uint8Array> {
  const archive = pack()
  // The date that npm writes.
  const mtime = new Date(Date.UTC(1985, 9, 26, 8, 15))
  for (const [name, bytes] of sorted(files)) {
    const mode = executable.has(name) ? 0o755 : 0o644
    archive.entry({ name: `${root}/${name}`, mtime, mode, uid: 0, gid: 0, uname: '', gname: '' }, Buffer.from(bytes))
  }
  archive.finalize()
  return gzipSync(await buffer(archive), { level: 9, mtime: 0 })
}
