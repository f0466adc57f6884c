/** Returns a merchant's own page as rendered, without the gateway's script that watches it. */
export const asWritten = (html: string): string =>
  html.replace(/<script [^>]*src="[^"]*own-page\.\w+\.js"[^>]*><\/script>/, '')
