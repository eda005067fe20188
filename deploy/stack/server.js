// The entry of a web app under iisnode. Starts `serve` with the settings of the web app. iisnode sets PORT to the name of a pipe.
// Uses `import()`, which works in a script and in a module: package.json decides which of them this file is.
process.argv.splice(2, Infinity, 'serve')
void import('./dist/cli/cloud-profile.cjs')
