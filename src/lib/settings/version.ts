/** The version of this build, which package.json repeats for npm. Versions follow semver.org. */
export const VERSION = '2.0.0'
