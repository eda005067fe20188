// The entry of a web app under iisnode: starts `serve` with the settings of the web app. iisnode sets PORT to the name of a pipe.
// As `import()`, because this file is a script or a module, as the package.json beside it says.
process.argv.splice(2, Infinity, 'serve')
void import('./dist/cli/cloud-profile.cjs')
