@rem npm scripts begin with exec, so that npm's signals reach Node and not a shell; Windows has none to get out of the way.
@%*
