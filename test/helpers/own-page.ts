/** Removes the gateway's own script, which reports errors, from a rendered page of a merchant. */
export const asWritten = (html: string): string =>
  html.replace(/<script [^>]*src="[^"]*own-page\.\w+\.js"[^>]*><\/script>/, '')
