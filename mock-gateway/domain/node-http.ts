/**
 * Node's module for HTTP. An import of its values also loads Node's `fetch`, which takes 30 ms of
 * CPU and which a gateway seldom needs.
 */
export const http = process.getBuiltinModule('node:http')
