local function filled(size, factor)
    local rows = {}
    for i = 0, size - 1 do
        local row = {}
        for j = 0, size - 1 do row[j] = i * factor + j end
        rows[i] = row
    end
    return rows
end
function matrix()
    local size = 30
    local a, b = filled(size, 3), filled(size, 5)
    local trace = 0
    for i = 0, size - 1 do
        for j = 0, size - 1 do
            local sum = 0
            for k = 0, size - 1 do sum = sum + a[i][k] * b[k][j] end
            if i == j then trace = trace + sum end
        end
    end
    return trace
end
