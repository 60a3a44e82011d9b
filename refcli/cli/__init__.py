"""The commands: options in, one call, print."""

import gc

# all that is made on the way to the first question stays to the end; looking it over for garbage again and again
# costs a tenth of that way
gc.set_threshold(50_000, 20, 50)
