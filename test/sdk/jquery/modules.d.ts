/** jQuery under the names this project installs its versions by. */
declare module 'jquery-1.12' {
  export { default } from 'jquery'
}
declare module 'jquery-2.2' {
  export { default } from 'jquery'
}
declare module 'jquery-3' {
  export { default } from 'jquery'
}
declare module 'jquery-3/dist/jquery.slim.js' {
  export { default } from 'jquery'
}
