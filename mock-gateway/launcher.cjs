#!/usr/bin/env node
// The command of the package. Every version of Node can parse this file, down to its commas: a user
// with Node 20 reads which version is needed, instead of a SyntaxError.
var needed = require('./package.json').engines.node.replace('>=', '')
var found = process.versions.node
var sentence = ['mondido-gateway needs Node', needed, 'or newer; this is Node', found].join(' ')
var cacheFolder = require('node:path').join(__dirname, 'dist', '.compile-cache')
var advice = 'Get one from https://nodejs.org, or here by npm install node@24.'

function isOlder(version, other) {
  var one = version.split('.')
  var two = other.split('.')
  return Number(one[0]) < Number(two[0]) || (one[0] === two[0] && Number(one[1]) < Number(two[1]))
}

if (isOlder(found, needed)) {
  process.stderr.write([sentence, ' (', process.execPath, '). ', advice, '\n'].join(''))
  process.exit(1)
} else {
  // Keeps the compiled code for the next start. If the folder cannot be written, nothing is kept.
  require('node:module').enableCompileCache(cacheFolder)
  require('./dist/cli.js').main()
}
