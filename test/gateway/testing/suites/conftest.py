pytest_plugins = ["mondido_gateway"]
