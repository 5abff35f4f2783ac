/**
 * Stops an installation with a Node that is too old, with one sentence. npm omits packages with native code that do not
 * support its Node, and everything later would fail with "Cannot find native binding". This file must run on old Nodes:
 * no import, no type, no recent syntax.
 */
var wanted = require('../package.json').engines.node.replace('>=', '').split('.').map(Number)
// The Node that runs npm. This file may run on the one from the package `node`.
var found =
  /node\/v(\d+)\.(\d+)\.(\d+)/.exec(process.env.npm_config_user_agent || '') ||
  [null].concat(process.versions.node.split('.'))
var version = found.slice(1).map(Number)
var isOld = version[0] !== wanted[0] ? version[0] < wanted[0] : version[1] < wanted[1]
if (isOld) {
  console.error(
    '\nDeskbell needs Node ' +
      wanted.join('.') +
      ' or later, and npm runs on ' +
      version.join('.') +
      ': install a newer Node from https://nodejs.org, then run npm ci again.\n',
  )
  process.exit(1)
}
