// Declarations for require(): the same as for import.
type Library = typeof import('./index.js', { with: { 'resolution-mode': 'import' }})

export type * from './index.js' with { 'resolution-mode': 'import' }
export declare const createMondido: Library['createMondido']
export declare const install: Library['install']
export declare const configure: Library['configure']
export declare const version: Library['version']
export declare const defaults: Library['defaults']
export declare const encrypt: Library['encrypt']
export declare const maxBytes: Library['maxBytes']
export declare const card: Library['card']
