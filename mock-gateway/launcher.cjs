#!/usr/bin/env node
// The command of the package. Everything here, down to the commas, is read by any Node there ever was: one that is too old
// for the gateway must get far enough to say so.
var needed = require('./package.json').engines.node.replace('>=', '')
var found = process.versions.node
var sentence = ['mondido-gateway needs Node', needed, 'or newer; this is Node', found].join(' ')
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
  // Garbage goes early: without this the same work takes a fifth more memory (npm run bench -- growth).
  require('node:v8').setFlagsFromString('--heap-growing-percent=50')
  // Answers that stay open make V8 take short-lived objects for long-lived ones, which then hold all later garbage: fifty who
  // look on at the console made a create a fifth to a third dearer (npm run bench -- viewers).
  require('node:v8').setFlagsFromString('--no-allocation-site-pretenuring')
  // What V8 makes of the code is kept beside it for the next start; where that cannot be written, nothing is.
  require('node:module').enableCompileCache(require('node:path').join(__dirname, 'dist', '.compile-cache'))
  require('./dist/cli.js').main()
}
